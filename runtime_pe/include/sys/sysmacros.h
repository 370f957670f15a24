/* sys/sysmacros.h: a device's number in two parts, as Linux has it in 32 bits. */
#ifndef _SYS_SYSMACROS_H
#define _SYS_SYSMACROS_H

#define major(device) ((unsigned)(device) >> 8 & 0xfff)
#define minor(device) (((unsigned)(device) & 0xff) | ((unsigned)(device) >> 12 & 0xfff00))
#define makedev(major, minor) ((((unsigned)(minor) & 0xfff00) << 12) | (((unsigned)(major) & 0xfff) << 8) | ((unsigned)(minor) & 0xff))

#endif
