# SPDX-License-Identifier: GPL-2.0
from wlablib.lib.beside import end
from wlablib.metrics.command import main

end(main)
