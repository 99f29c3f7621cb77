#!/bin/sh
# htb asks for ever when a leaf drops its last packet in its dequeue().
# As root, in a virtual machine: a kernel with the bug does not come back. Needs python3.
set -e
# No packets but ours, whose order matters.
for all in all default; do
	echo 1 >/proc/sys/net/ipv6/conf/$all/disable_ipv6
done
ip link add va type veth peer name vb
ip link set va up
ip link set vb up
ip addr add 10.0.0.1/24 dev va
ip neigh add 10.0.0.2 lladdr 02:00:00:00:00:02 dev va nud permanent
tc qdisc add dev va root handle 1: htb default 10
tc class add dev va parent 1: classid 1:10 htb rate 1gbit
tc class add dev va parent 1: classid 1:20 htb rate 1gbit
# After 100 ms the bfifo refuses what netem has for it: class 1:10 is empty then.
tc qdisc add dev va parent 1:10 handle 10: netem delay 100ms
tc qdisc add dev va parent 10: handle 11: bfifo limit 100
# This one has something and gives nothing.
tc qdisc add dev va parent 1:20 handle 20: netem delay 10s
echo sending
python3 - <<'P'
import socket

s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for class_id, size in (0x10010, 1000), (0x10020, 50):
    s.setsockopt(socket.SOL_SOCKET, socket.SO_PRIORITY, class_id)
    s.sendto(bytes(size), ("10.0.0.2", 9))
P
sleep 1
# Only the packet of class 1:20 is still there.
tc -s qdisc show dev va | grep -A 2 -E '^qdisc (htb|netem)'
echo passed
