#include "act/run/verification.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

static const char *engine_without_device(enum config_engine engine)
{
	static const char *const names[] = {
	    [CONFIG_ENGINE_URING] = NULL,
	    [CONFIG_ENGINE_NULL] = "null",
	    [CONFIG_ENGINE_NOP] = "nop",
	};

	return names[engine];
}

static void explain_label(const struct device *device, char text[static VERIFICATION_BYTES])
{
	const struct label *label = &device->label;

	if (!device->labelled)
		snprintf(text, VERIFICATION_BYTES, "it carries no preparation of actcert");
	else if (label->device_bytes != device->size_bytes)
		snprintf(text, VERIFICATION_BYTES,
			 "its preparation was made for %" PRIu64 " bytes, not %" PRIu64,
			 label->device_bytes, device->size_bytes);
	else if (!label_is_complete(label, device->size_bytes))
		snprintf(
		    text, VERIFICATION_BYTES, "its preparation is not complete: %s at %u %%",
		    label_stage_name(label->stage),
		    (unsigned)((double)label->position_bytes * 100 / (double)device->size_bytes));
}

void verification_explain(const struct config *config, const struct device *device,
			  char text[static VERIFICATION_BYTES])
{
	const char *engine = engine_without_device(config->engine);

	text[0] = '\0';
	if (engine)
		snprintf(text, VERIFICATION_BYTES, "engine %s reads nothing", engine);
	else if (config->verify == CONFIG_VERIFY_OFF)
		snprintf(text, VERIFICATION_BYTES, "verify = off");
	else
		explain_label(device, text);
}

int verification_check(const struct config *config, const struct device *device, struct error *err)
{
	char text[VERIFICATION_BYTES];
	char problem[VERIFICATION_BYTES + DEVICE_NAME_BYTES + 64];

	if (config->verify != CONFIG_VERIFY_ON || engine_without_device(config->engine))
		return 0;
	verification_explain(config, device, text);
	if (!text[0])
		return 0;
	snprintf(problem, sizeof(problem), "what is read from %s cannot be verified: %s",
		 device->name, text);
	return config_refuse(config, "verify", problem, "auto or off, or `actcert prep` before",
			     err);
}
