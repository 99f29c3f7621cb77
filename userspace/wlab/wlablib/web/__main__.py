# SPDX-License-Identifier: GPL-2.0
from wlablib.lib.beside import end
from wlablib.web.command import main

end(main)
