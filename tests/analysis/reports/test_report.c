#include "analysis/reports/report.h"

#include <criterion/criterion.h>

#include "analysis/reports/csv.h"

Test(report, formats_are_found_by_name)
{
	char list[64];

	cr_expect_str_eq(report_find("text")->name, "text");
	cr_expect_str_eq(report_find("json")->name, "json");
	cr_expect_eq(report_find("csv")->write, report_csv);
	cr_expect_null(report_find("TEXT"));
	cr_expect_null(report_find(""));
	report_list(list, sizeof(list));
	cr_expect_str_eq(list, "text, csv, json");
}
