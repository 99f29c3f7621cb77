# SPDX-License-Identifier: GPL-2.0
# The table of words and what reads, sends and prints by it: in q_wlink.so, in
# wlinkctl and in their tests.

words := wl_attr.c wl_attr_find.c wl_ber.c wl_near.c wl_netem.c wl_num.c wl_pair.c \
         wl_path.c wl_presets.c wl_profile_file.c wl_profiles.c wl_rayleigh.c wl_rows.c \
         wl_show.c wl_usage.c wl_value.c wl_words.c wl_words_aqm.c wl_xstats.c \
         wl_xstats_text.c
