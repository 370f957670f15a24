/* mog_channels.h: channels of PEs (docs/channels.md) from the host: a program that runs them by mog.h puts elements in and takes them out between two calls of
 * mog_run_for(). The PEs' program makes the channel, with MOG_CHANNEL_HOST.
 *
 *     mog_run_channel lines;
 *     size_t done;
 *     mog_run_channel_connect(run, "lines", "struct line", sizeof(struct line), &lines, &error);
 *     mog_run_channel_put(run, &lines, some, count, &done, &error);      // done < count: the channel is full, the PEs have to go on first
 *     mog_run_for(run, 0, 1, &state, &error);
 */
#ifndef MOG_HOST_MOG_CHANNELS_H
#define MOG_HOST_MOG_CHANNELS_H

#include "mog.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mog_run_channel {
    uint32_t address, element_bytes, length;
} mog_run_channel;

/* Finds the channel of that name. Errors: ARGUMENT (NULL; it has elements of another type or size; it was made without MOG_CHANNEL_HOST), SYMBOL (the program has no
 * channels, or none of that name yet), STATE, DEVICE. */
MOG_API mog_code mog_run_channel_connect(mog_run *run, const char *name, const char *type, size_t element_bytes, mog_run_channel *channel, mog_error *error);

/* Puts up to `count` elements into it, or takes up to `most` out: *done, *got says how many. Never waits. Errors: ARGUMENT, STATE, DEVICE, ADDRESS (no channel
 * that was connected to in this run). */
MOG_API mog_code mog_run_channel_put(mog_run *run, const mog_run_channel *channel, const void *elements, size_t count, size_t *done, mog_error *error);
MOG_API mog_code mog_run_channel_get(mog_run *run, const mog_run_channel *channel, void *elements, size_t most, size_t *got, mog_error *error);

/* The host puts nothing more: who takes gets what is left, and then 0. Whether it is closed, by the host or by PEs, and nothing is left. */
MOG_API mog_code mog_run_channel_close(mog_run *run, const mog_run_channel *channel, mog_error *error);
MOG_API mog_code mog_run_channel_is_over(mog_run *run, const mog_run_channel *channel, int *over, mog_error *error);

#ifdef __cplusplus
}
#endif

#endif
