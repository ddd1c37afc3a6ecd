#include "act/run/environment.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

Test(run_environment, tells_of_host_and_libraries)
{
	struct targets targets = {.count = 1, .devices = {{.name = "made up", .fd = -1}}};
	struct facts facts = {0};
	const char *built_with;

	environment_record(&targets, &facts);
	built_with = facts_get(&facts, FACTS_HOST, "built_with");
	cr_assert_not_null(built_with);
	cr_expect(strstr(built_with, "liburing ") && strstr(built_with, "jansson "), "%s",
		  built_with);
	cr_expect_not_null(facts_get(&facts, FACTS_HOST, "glibc"));
	for (size_t i = 0; i < facts.count; i++)
		cr_expect(eq(sz, facts.list[i].subject, FACTS_HOST));
	facts_release(&facts);
}
