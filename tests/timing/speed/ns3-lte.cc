// SPDX-License-Identifier: GPL-2.0
/* The yardstick of the lab's speed: ns-3's LTE module with TCP in bulk to some
 * UEs of one cell, RLC in acknowledged mode, for a time. A wired link bounds what
 * all of them get together.
 *
 *   ns3-lte UES SECONDS WIRED_BPS RESOURCE_BLOCKS
 *
 * prints {"ues":, "virtual_s":, "wall_s":, "cpu_s":, "goodput_bps":}; the times are
 * of the simulation alone, without the program's start.
 */
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <string>

#include <ns3/applications-module.h>
#include <ns3/core-module.h>
#include <ns3/internet-module.h>
#include <ns3/lte-module.h>
#include <ns3/mobility-module.h>
#include <ns3/network-module.h>
#include <ns3/point-to-point-module.h>

using namespace ns3;

namespace
{

const uint16_t PORT = 5001;

/* Attaching takes less than this; data begin to flow then. */
const double ATTACHED_S = 0.1;

void defaults()
{
	Config::SetDefault("ns3::LteEnbRrc::EpsBearerToRlcMapping",
			   EnumValue(LteEnbRrc::RLC_AM_ALWAYS));
	/* A hundred packets; by default less than a dozen fit in. */
	Config::SetDefault("ns3::LteRlcAm::MaxTxBufferSize", UintegerValue(150000));
	Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(1400));
}

void stay(NodeContainer nodes)
{
	MobilityHelper mobility;

	mobility.SetMobilityModel("ns3::ConstantPositionMobilityModel");
	mobility.Install(nodes);
}

/* A server behind the gateway; all that the UEs get passes the link between. */
Ptr<Node> server(Ptr<Node> gateway, const std::string &rate)
{
	NodeContainer hosts;
	PointToPointHelper wire;
	Ipv4AddressHelper addresses;

	hosts.Create(1);
	InternetStackHelper().Install(hosts);
	wire.SetDeviceAttribute("DataRate", DataRateValue(DataRate(rate)));
	wire.SetChannelAttribute("Delay", TimeValue(MilliSeconds(20)));
	addresses.SetBase("1.0.0.0", "255.0.0.0");
	addresses.Assign(wire.Install(gateway, hosts.Get(0)));
	Ipv4StaticRoutingHelper()
		.GetStaticRouting(hosts.Get(0)->GetObject<Ipv4>())
		->AddNetworkRouteTo(Ipv4Address("7.0.0.0"), Ipv4Mask("255.0.0.0"), 1);
	return hosts.Get(0);
}

} // namespace

int main(int argc, char **argv)
{
	if (argc != 5) {
		std::cerr << "usage: ns3-lte UES SECONDS WIRED_BPS RESOURCE_BLOCKS\n";
		return 2;
	}
	const unsigned ues = std::strtoul(argv[1], nullptr, 10);
	const double seconds = std::strtod(argv[2], nullptr);
	const uint16_t blocks = std::strtoul(argv[4], nullptr, 10);

	defaults();
	auto epc = CreateObject<PointToPointEpcHelper>();
	auto lte = CreateObject<LteHelper>();
	lte->SetEpcHelper(epc);
	lte->SetEnbDeviceAttribute("DlBandwidth", UintegerValue(blocks));
	lte->SetEnbDeviceAttribute("UlBandwidth", UintegerValue(blocks));
	Ptr<Node> host = server(epc->GetPgwNode(), std::string(argv[3]) + "bps");

	NodeContainer cell, users;
	cell.Create(1);
	users.Create(ues);
	stay(cell);
	stay(users);
	NetDeviceContainer cell_devices = lte->InstallEnbDevice(cell);
	NetDeviceContainer user_devices = lte->InstallUeDevice(users);
	InternetStackHelper().Install(users);
	Ipv4InterfaceContainer at = epc->AssignUeIpv4Address(user_devices);
	lte->Attach(user_devices, cell_devices.Get(0));

	ApplicationContainer sinks;
	for (unsigned i = 0; i < ues; i++) {
		Ipv4StaticRoutingHelper()
			.GetStaticRouting(users.Get(i)->GetObject<Ipv4>())
			->SetDefaultRoute(epc->GetUeDefaultGatewayAddress(), 1);
		PacketSinkHelper sink("ns3::TcpSocketFactory",
				      InetSocketAddress(Ipv4Address::GetAny(), PORT));
		sinks.Add(sink.Install(users.Get(i)));
		BulkSendHelper bulk("ns3::TcpSocketFactory",
				    InetSocketAddress(at.GetAddress(i), PORT));
		bulk.Install(host).Start(Seconds(ATTACHED_S));
	}
	sinks.Start(Seconds(0));
	Simulator::Stop(Seconds(seconds));

	const auto begin = std::chrono::steady_clock::now();
	const std::clock_t cpu = std::clock();
	Simulator::Run();
	const double used = double(std::clock() - cpu) / CLOCKS_PER_SEC;
	const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
	uint64_t bytes = 0;
	for (unsigned i = 0; i < ues; i++)
		bytes += sinks.Get(i)->GetObject<PacketSink>()->GetTotalRx();
	Simulator::Destroy();
	std::cout << "{\"ues\": " << ues << ", \"virtual_s\": " << seconds
		  << ", \"wall_s\": " << wall.count() << ", \"cpu_s\": " << used
		  << ", \"goodput_bps\": " << double(bytes) * 8 / (seconds - ATTACHED_S)
		  << "}" << std::endl;
	return 0;
}
