// GLib's objects, on which libvips stands: only their place on the disk is needed here.
#include <glib-object.h>
