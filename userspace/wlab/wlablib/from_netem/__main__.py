# SPDX-License-Identifier: GPL-2.0
from wlablib.from_netem.command import main
from wlablib.lib.beside import end

end(main)
