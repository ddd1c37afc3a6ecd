#pragma once
#include "act/config/config.h"
#include "act/device/device.h"

/*
 * Whether what is read from a device can be checked: only where all of it is known to
 * have been written with our sectors.
 */

#define VERIFICATION_BYTES 128

/* Stores why the reads of the device cannot be verified, or the empty text where they
 * are, by the config's `verify`, its engine and the device's label. */
void verification_explain(const struct config *config, const struct device *device,
			  char text[static VERIFICATION_BYTES]);

/* A usage error that names the device and the reason when verify = on and its reads
 * cannot be verified. */
int verification_check(const struct config *config, const struct device *device, struct error *err);
