#include "runtime/observe/observer.h"
