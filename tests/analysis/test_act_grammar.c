#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

#include "analysis/act_grammar.h"

Test(act_grammar, banners)
{
	static const struct {
		const char *line;
		bool is_one;
		unsigned major;
		unsigned minor;
	} lines[] = {
	    {"Aerospike act - device IO test", true, 1, 0},
	    {"Aerospike act version 2.0 - device IO test", true, 2, 0},
	    {"Aerospike act version 4.0 - device IO test", true, 4, 0},
	    {"ACT version 5.3", true, 5, 3},
	    {"ACT version 6.12", true, 6, 12},
	    {"ACT version 6", true, 6, 0},
	    {"ACT version 6.", false, 0, 0},
	    {"ACT version ", false, 0, 0},
	    {"ACT version x", false, 0, 0},
	    {"ACT version 1234.0", false, 0, 0},
	    {"act version 6.6", false, 0, 0},
	    {"", false, 0, 0},
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		unsigned major = 0;
		unsigned minor = 0;

		cr_assert(
		    eq(int,
		       act_grammar_banner(lines[i].line, strlen(lines[i].line), &major, &minor),
		       lines[i].is_one),
		    "%s", lines[i].line);
		cr_assert(eq(uint, major, lines[i].major), "%s", lines[i].line);
		cr_assert(eq(uint, minor, lines[i].minor), "%s", lines[i].line);
	}
}

Test(act_grammar, each_version_has_one)
{
	static const bool bare[] = {false, true, true, true, true, false, false};

	for (unsigned major = 1; major <= 6; major++) {
		const struct act_grammar *grammar = act_grammar_find(major);

		cr_assert(grammar != NULL);
		cr_assert(eq(int, grammar->bare_devices, bare[major]));
		cr_assert(eq(int, grammar->whole_milliseconds, major == 1));
		cr_assert(eq(int, grammar->closed_loop, major == 6));
	}
	cr_assert(act_grammar_find(0) == NULL);
	cr_assert(act_grammar_find(7) == NULL);
}

Test(act_grammar, names)
{
	const struct act_name *name = act_grammar_name(act_grammar_find(3), "RAW READS");

	cr_assert(name != NULL);
	cr_assert(eq(int, (int)name->kind, ACT_DEVICE_READS));
	cr_assert(not(strcmp(name->name, "device-reads")));
	cr_assert(act_grammar_name(act_grammar_find(3), "reads") == NULL);
	cr_assert(act_grammar_name(act_grammar_find(6), "reads") != NULL);
	cr_assert(act_grammar_name(act_grammar_find(6), "READS") == NULL);
}

/* Ours has the banner of 6.x, too. */
Test(act_grammar, recognises)
{
	static const struct {
		const char *text;
		bool is_one;
	} texts[] = {
	    {"\nACT version 6.6\nStorage device IO test\n", true},
	    {"\r\nACT version 5.0\r\n", true},
	    {"+ ./act_storage my.conf\n\nAerospike act - device IO test\n", true},
	    {"ACT version 9.0", true}, /* whose reader refuses it */
	    {"actcert 1.0\nACT version 6.6\n", false},
	    {"\nACT version 6.6\n\n# {\"run\":{}}\n", false},
	    {"", false},
	    {"what ACT version 6.6 is\n", false},
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		cr_assert(eq(int, act_grammar_recognises(texts[i].text, strlen(texts[i].text)),
			     texts[i].is_one),
			  "%s", texts[i].text);
}
