package headers

import (
	"strconv"

	"github.com/gopacket/gopacket/layers"
)

// etherTypeName names the Ethernet protocols that are common and not decoded; "" for all others.
func etherTypeName(number layers.EthernetType) string {
	switch number {
	case layers.EthernetTypeARP:
		return "ARP"
	case etherRARP:
		return "RARP"
	case etherIPX:
		return "IPX"
	case etherFlow:
		return "Ethernet flow control"
	case etherSlow:
		return "LACP"
	case layers.EthernetTypePPPoEDiscovery:
		return "PPPoE discovery"
	case layers.EthernetTypeEAPOL:
		return "EAPOL"
	case layers.EthernetTypeLinkLayerDiscovery:
		return "LLDP"
	case etherMACsec:
		return "MACsec"
	case etherPTP:
		return "PTP"
	}
	return ""
}

// ipProtocolName names the IP protocols that are common and not decoded.
// https://www.iana.org/assignments/protocol-numbers
func ipProtocolName(number layers.IPProtocol, v6 bool) string {
	switch number {
	case layers.IPProtocolICMPv4:
		return "ICMP"
	case layers.IPProtocolIGMP:
		return "IGMP"
	case layers.IPProtocolTCP:
		return "TCP"
	case protoDCCP:
		return "DCCP"
	case 46:
		return "RSVP"
	case layers.IPProtocolESP:
		return "ESP"
	case layers.IPProtocolICMPv6:
		return "ICMPv6"
	case 88:
		return "EIGRP"
	case layers.IPProtocolOSPF:
		return "OSPF"
	case 103:
		return "PIM"
	case 108:
		return "IPComp"
	case layers.IPProtocolVRRP:
		return "VRRP"
	case layers.IPProtocolSCTP:
		return "SCTP"
	case layers.IPProtocolUDPLite:
		return "UDP-Lite"
	}
	if v6 {
		return "IPv6"
	}
	return "IPv4"
}

// linkTypeNames names link layers that are not decoded here, as https://www.tcpdump.org/linktypes.html does
// after LINKTYPE_.
var linkTypeNames = map[layers.LinkType]string{
	3: "AX25", 6: "IEEE802_5", 8: "SLIP", 10: "FDDI", 100: "ATM_RFC1483", 107: "FRELAY",
	109: "ENC", 114: "LTALK", 117: "PFLOG", 122: "IP_OVER_FC",
	138: "APPLE_IP_OVER_IEEE1394", 139: "MTP2_WITH_PHDR", 140: "MTP2", 141: "MTP3", 142: "SCCP", 143: "DOCSIS",
	144: "LINUX_IRDA", 165: "BACNET_MS_TP", 166: "PPP_PPPD", 169: "GPRS_LLC",
	177: "LINUX_LAPD", 187: "BLUETOOTH_HCI_H4", 189: "USB_LINUX", 195: "IEEE802_15_4_WITHFCS",
	197: "ERF", 201: "BLUETOOTH_HCI_H4_WITH_PHDR", 209: "IPMB_LINUX", 215: "IEEE802_15_4_NONASK_PHY",
	220: "USB_LINUX_MMAPPED", 224: "FC_2", 226: "IPNET", 227: "CAN_SOCKETCAN", 230: "IEEE802_15_4_NOFCS",
	231: "DBUS", 235: "DVB_CI", 240: "NETANALYZER", 242: "IPOIB", 243: "MPEG_2_TS", 245: "NFC_LLCP",
	247: "INFINIBAND", 248: "SCTP", 249: "USBPCAP", 251: "BLUETOOTH_LE_LL", 252: "WIRESHARK_UPPER_PDU",
	253: "NETLINK", 254: "BLUETOOTH_LINUX_MONITOR", 256: "BLUETOOTH_LE_LL_WITH_PHDR", 259: "EPON",
	265: "ISO_14443", 266: "USB_DARWIN", 271: "VSOCK", 272: "NORDIC_BLE", 273: "DOCSIS31_XRA31",
	274: "ETHERNET_MPACKET", 277: "OPENVIZSLA", 283: "IEEE802_15_4_TAP", 288: "USB_2_0",
}

// LinkTypeName returns the name of a link-layer type, LINKTYPE_* of tcpdump.org without the prefix, or its number.
func LinkTypeName(linkType layers.LinkType) string {
	if name, ok := linkTypeNames[linkType]; ok {
		return name
	}
	return "LINKTYPE " + strconv.Itoa(int(linkType))
}
