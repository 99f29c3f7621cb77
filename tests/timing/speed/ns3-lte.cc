// SPDX-License-Identifier: GPL-2.0
/* What ns-3's LTE module makes of a cell: TCP in bulk to each of some UEs that stand at
 * given distances, log-distance loss without fading. `ns3-lte --help` has the parameters.
 *
 * Prints one line of JSON; wall_s and cpu_s are of the simulation alone, without the
 * program's start. Of each UE: goodput from --warmup on, and what its transport blocks
 * were: MCS, bytes, first transmissions and those of them that were lost.
 */
#include <chrono>
#include <ctime>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

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

struct Blocks {
	unsigned mcs = 0;
	unsigned bytes = 0;
	unsigned long first = 0;
	unsigned long first_lost = 0;
	unsigned long again = 0;
	unsigned long again_lost = 0;
};

/* By RNTI, which is in the order of attaching. */
std::map<unsigned, Blocks> blocks_of;
unsigned long drops;
unsigned long reports;

/* Its RLC sends nothing else so short: a status report, which takes a whole block. */
const uint32_t REPORT_BYTES = 40;

void received(PhyReceptionStatParameters one)
{
	Blocks &to = blocks_of[one.m_rnti];

	if (Simulator::Now().GetSeconds() < 1)
		return;
	to.mcs = one.m_mcs;
	if (one.m_rv) {
		to.again++;
		to.again_lost += !one.m_correctness;
		return;
	}
	to.bytes = std::max<unsigned>(to.bytes, one.m_size);
	to.first++;
	to.first_lost += !one.m_correctness;
}

void dropped(Ptr<const Packet>)
{
	drops++;
}

void sent(uint16_t, uint8_t, uint32_t bytes)
{
	reports += bytes < REPORT_BYTES && Simulator::Now().GetSeconds() >= 1;
}

void watch(NetDeviceContainer cell)
{
	const std::string rlc = "/NodeList/" + std::to_string(cell.Get(0)->GetNode()->GetId()) +
		"/DeviceList/*/$ns3::LteNetDevice/$ns3::LteEnbNetDevice/LteEnbRrc/UeMap/*/"
		"DataRadioBearerMap/*/LteRlc/";

	Config::ConnectWithoutContext(
		"/NodeList/*/DeviceList/*/$ns3::LteNetDevice/$ns3::LteUeNetDevice/"
		"ComponentCarrierMapUe/*/LteUePhy/DlSpectrumPhy/DlPhyReception",
		MakeCallback(received));
	Config::ConnectWithoutContext(rlc + "TxDrop", MakeCallback(dropped));
	Config::ConnectWithoutContext(rlc + "TxPDU", MakeCallback(sent));
}

void place(NodeContainer nodes, const std::vector<double> &metres)
{
	auto at = CreateObject<ListPositionAllocator>();
	MobilityHelper mobility;

	for (double x : metres)
		at->Add(Vector(x, 0, 0));
	mobility.SetPositionAllocator(at);
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

std::vector<double> numbers(const std::string &text)
{
	std::vector<double> out;
	std::istringstream in(text);

	for (std::string one; std::getline(in, one, ',');)
		out.push_back(std::stod(one));
	return out;
}

} // namespace

int main(int argc, char **argv)
{
	std::string wired = "1Gbps", rlc = "am", sched = "pf", at = "10", tcp = "TcpLinuxReno";
	double seconds = 10, warmup = ATTACHED_S;
	unsigned rb = 50, seed = 1, buffer = 150000, reorder_ms = 0, segment = 1400;

	CommandLine line;
	line.AddValue("at", "metres from the site, of each UE: 100,300", at);
	line.AddValue("seconds", "of virtual time", seconds);
	line.AddValue("warmup", "s, when goodput begins to count", warmup);
	line.AddValue("wired", "rate of the link before the cell", wired);
	line.AddValue("rb", "resource blocks", rb);
	line.AddValue("rlc", "am or um", rlc);
	line.AddValue("sched", "pf or rr", sched);
	line.AddValue("buffer", "bytes of the RLC's buffer", buffer);
	line.AddValue("reorder", "t-Reordering in ms; 0: ns-3's own", reorder_ms);
	line.AddValue("segment", "bytes of a TCP segment", segment);
	line.AddValue("tcp", "type of ns-3's congestion control", tcp);
	line.AddValue("seed", "of all random numbers", seed);
	line.Parse(argc, argv);
	const std::vector<double> metres = numbers(at);
	const std::string type = rlc == "am" ? "ns3::LteRlcAm" : "ns3::LteRlcUm";

	RngSeedManager::SetRun(seed);
	Config::SetDefault("ns3::LteEnbRrc::EpsBearerToRlcMapping",
			   EnumValue(rlc == "am" ? LteEnbRrc::RLC_AM_ALWAYS
						 : LteEnbRrc::RLC_UM_ALWAYS));
	Config::SetDefault(type + "::MaxTxBufferSize", UintegerValue(buffer));
	if (reorder_ms)
		Config::SetDefault(type + "::ReorderingTimer", TimeValue(MilliSeconds(reorder_ms)));
	Config::SetDefault("ns3::LteUePhy::TxPower", DoubleValue(23));
	Config::SetDefault("ns3::LteEnbRrc::SrsPeriodicity", UintegerValue(40));
	/* As Linux has them. */
	Config::SetDefault("ns3::TcpL4Protocol::SocketType",
			   TypeIdValue(TypeId::LookupByName("ns3::" + tcp)));
	Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(segment));
	Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(4 << 20));
	Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(6 << 20));
	Config::SetDefault("ns3::TcpSocketBase::MinRto", TimeValue(MilliSeconds(200)));

	auto epc = CreateObject<PointToPointEpcHelper>();
	auto lte = CreateObject<LteHelper>();
	lte->SetEpcHelper(epc);
	lte->SetSchedulerType(sched == "pf" ? "ns3::PfFfMacScheduler" : "ns3::RrFfMacScheduler");
	lte->SetEnbDeviceAttribute("DlBandwidth", UintegerValue(rb));
	lte->SetEnbDeviceAttribute("UlBandwidth", UintegerValue(rb));
	/* 128.1 + 37.6 log10(km) dB of TS 25.814, case 1: 15.3 dB at a metre. */
	lte->SetPathlossModelType(LogDistancePropagationLossModel::GetTypeId());
	lte->SetPathlossModelAttribute("Exponent", DoubleValue(3.76));
	lte->SetPathlossModelAttribute("ReferenceLoss", DoubleValue(15.3));
	Ptr<Node> host = server(epc->GetPgwNode(), wired);

	NodeContainer cell, users;
	cell.Create(1);
	users.Create(metres.size());
	place(cell, {0});
	place(users, metres);
	NetDeviceContainer cell_devices = lte->InstallEnbDevice(cell);
	NetDeviceContainer user_devices = lte->InstallUeDevice(users);
	InternetStackHelper().Install(users);
	Ipv4InterfaceContainer address = epc->AssignUeIpv4Address(user_devices);
	for (unsigned i = 0; i < metres.size(); i++)
		lte->Attach(user_devices.Get(i), cell_devices.Get(0));

	ApplicationContainer sinks;
	for (unsigned i = 0; i < metres.size(); i++) {
		Ipv4StaticRoutingHelper()
			.GetStaticRouting(users.Get(i)->GetObject<Ipv4>())
			->SetDefaultRoute(epc->GetUeDefaultGatewayAddress(), 1);
		PacketSinkHelper sink("ns3::TcpSocketFactory",
				      InetSocketAddress(Ipv4Address::GetAny(), PORT));
		sinks.Add(sink.Install(users.Get(i)));
		BulkSendHelper bulk("ns3::TcpSocketFactory",
				    InetSocketAddress(address.GetAddress(i), PORT));
		bulk.Install(host).Start(Seconds(ATTACHED_S));
	}
	sinks.Start(Seconds(0));
	Simulator::Schedule(Seconds(ATTACHED_S - 0.01), watch, cell_devices);
	std::vector<uint64_t> before(metres.size());
	Simulator::Schedule(Seconds(warmup), [&] {
		for (unsigned i = 0; i < metres.size(); i++)
			before[i] = sinks.Get(i)->GetObject<PacketSink>()->GetTotalRx();
	});
	Simulator::Stop(Seconds(seconds));

	const auto begin = std::chrono::steady_clock::now();
	const std::clock_t cpu = std::clock();
	Simulator::Run();
	const double used = double(std::clock() - cpu) / CLOCKS_PER_SEC;
	const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
	std::ostringstream ues;
	double all = 0;
	for (unsigned i = 0; i < metres.size(); i++) {
		const uint64_t bytes = sinks.Get(i)->GetObject<PacketSink>()->GetTotalRx() - before[i];
		const double bps = double(bytes) * 8 / (seconds - warmup);
		const auto device = user_devices.Get(i)->GetObject<LteUeNetDevice>();
		const Blocks &had = blocks_of[device->GetRrc()->GetRnti()];

		all += bps;
		ues << (i ? ", " : "") << "{\"at_m\": " << metres[i] << ", \"goodput_bps\": " << bps
		    << ", \"mcs\": " << had.mcs << ", \"block_bytes\": " << had.bytes
		    << ", \"blocks\": " << had.first << ", \"lost\": " << had.first_lost
		    << ", \"again\": " << had.again << ", \"again_lost\": " << had.again_lost << "}";
	}
	Simulator::Destroy();
	std::cout << "{\"ues\": [" << ues.str() << "], \"virtual_s\": " << seconds
		  << ", \"wall_s\": " << wall.count() << ", \"cpu_s\": " << used
		  << ", \"drops\": " << drops << ", \"reports\": " << reports << ", \"goodput_bps\": " << all << "}" << std::endl;
	return 0;
}
