package decode

import (
	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"

	"metaroce/golden/profile"
)

// LayerTypeMetaRoCE is the layer's number in gopacket's private range. Registering it, and the UDP port, is the one
// global side effect of this module: gopacket knows no other way.
var LayerTypeMetaRoCE = gopacket.RegisterLayerType(2149, gopacket.LayerTypeMetadata{
	Name: "MetaRoCE", Decoder: gopacket.DecodeFunc(decodeMetaRoCE),
})

func init() {
	layers.RegisterUDPPortLayerType(profile.UdpPort, LayerTypeMetaRoCE)
}
