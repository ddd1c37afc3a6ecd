#include "act/base/facts.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <string.h>

static void expect_fact(const struct facts *facts, size_t subject, const char *key,
			const char *want)
{
	const char *value = facts_get(facts, subject, key);

	cr_expect(value && !strcmp(value, want), "%s: %s", key, value ? value : "(none)");
}

Test(facts, keeps_them_by_subject_in_order)
{
	struct facts facts = {0};

	cr_expect(eq(ptr, (void *)(uintptr_t)facts_get(&facts, FACTS_HOST, "governor"), NULL));
	facts_add(&facts, FACTS_HOST, "governor", "performance");
	facts_add(&facts, FACTS_DEVICE(0), "scheduler", "none");
	facts_add(&facts, FACTS_DEVICE(1), "scheduler", "bfq");
	facts_add_number(&facts, FACTS_HOST, "memory_bytes", UINT64_MAX);
	cr_assert(eq(sz, facts.count, 4));
	expect_fact(&facts, FACTS_HOST, "governor", "performance");
	expect_fact(&facts, FACTS_DEVICE(0), "scheduler", "none");
	expect_fact(&facts, FACTS_DEVICE(1), "scheduler", "bfq");
	expect_fact(&facts, FACTS_HOST, "memory_bytes", "18446744073709551615");
	cr_expect(eq(int, strcmp(facts.list[3].key, "memory_bytes"), 0));
	facts_release(&facts);
	cr_expect(eq(sz, facts.count, 0));
	facts_release(&facts);
}

Test(facts, leaves_out_what_is_not_known)
{
	static const char *const keys[] = {"", "Upper", "with space", "a\"b",
					   "a_key_that_is_longer_than_all_keys_may_be"};
	struct facts facts = {0};

	facts_add(&facts, FACTS_HOST, "governor", "");
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		facts_add(&facts, FACTS_HOST, keys[i], "x");
	cr_expect(eq(sz, facts.count, 0));
	facts_add(&facts, FACTS_HOST, "a", "first");
	facts_add(&facts, FACTS_HOST, "a", "second");
	cr_expect(eq(sz, facts.count, 1));
	expect_fact(&facts, FACTS_HOST, "a", "first");
	facts_release(&facts);
}

Test(facts, cuts_long_values_and_endless_lists)
{
	char value[FACT_VALUE_BYTES + 10];
	struct facts facts = {0};

	memset(value, 'v', sizeof(value) - 1);
	value[sizeof(value) - 1] = '\0';
	facts_add(&facts, FACTS_HOST, "long", value);
	cr_expect(eq(sz, strlen(facts_get(&facts, FACTS_HOST, "long")), FACT_VALUE_BYTES - 1));
	for (size_t i = 0; i < FACTS_MAX + 10; i++)
		facts_add(&facts, FACTS_DEVICE(i), "a", "b");
	cr_expect(eq(sz, facts.count, FACTS_MAX));
	facts_release(&facts);
}
