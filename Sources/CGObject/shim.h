// GObject, a dependency of libvips; only its include path is needed here.
#include <glib-object.h>
