#pragma once
#include <Lerc_c_api.h>
