/* SPDX-License-Identifier: MIT */
/* Sums on a device where there is one; says so where there is none. Both are a success: what is
 * tested is that the library is found and linked. */
#include <cumsum/d3d12.h>
#include <stdio.h>

int main(void) {
    cumsum_d3d12_device *device;
    cumsum_diagnostic why = {CUMSUM_OK};
    cumsum_status status = cumsum_d3d12_open(NULL, &device, &why);
    if (status == CUMSUM_OK) {
        puts(cumsum_d3d12_info(device)->adapter.name[0] ? "a device" : "a device without a name");
        cumsum_d3d12_close(device);
        return 0;
    }
    puts(status == CUMSUM_NO_DEVICE ? "no device" : why.message);
    return status != CUMSUM_NO_DEVICE;
}
