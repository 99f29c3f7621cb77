# SPDX-License-Identifier: GPL-2.0
from wlablib.host.command import main
from wlablib.lib.beside import end

end(main)
