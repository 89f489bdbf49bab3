package trace

import "strconv"

// LinkType says what a captured packet starts with (the registry of tcpdump.org).
type LinkType uint16

// Link types that the toolkit writes. User0 to User15 are for private use.
const (
	LinkEthernet LinkType = 1
	LinkUser0    LinkType = 147
	LinkUser15   LinkType = 162
)

func (l LinkType) String() string {
	switch {
	case l == LinkEthernet:
		return "ETHERNET"
	case l >= LinkUser0 && l <= LinkUser15:
		return "USER" + strconv.Itoa(int(l-LinkUser0))
	}
	return strconv.Itoa(int(l))
}

// Interface is where packets were captured: one a section's description block, or the whole of a pcap file.
type Interface struct {
	ID          int // ordinal within its section, from 0
	Section     int // ordinal of the section, from 0
	Name        string
	Description string
	Link        LinkType
	SnapLength  uint32 // bytes kept of a packet at most; 0 is all
	Unit        Resolution
	Offset      int64 // seconds that are added to every time
	Options     []Option
}

// Label names the interface for a person and for a key of output: its name, or its ordinal.
func (i *Interface) Label() string {
	if i.Name != "" {
		return i.Name
	}
	return strconv.Itoa(i.ID)
}

// Option is an option of a pcapng block as the file has it.
type Option struct {
	Code  uint16
	Value []byte
}

// Packet is one captured packet. It and what it points to are valid until the reader's next call.
type Packet struct {
	Number    uint64 // ordinal in the file, from 1
	Offset    int64  // byte of the file at which its record starts
	Interface *Interface
	Time      Time
	Original  uint32 // bytes on the wire
	Data      []byte // bytes captured
	Comments  []string
	Flags     uint32 // epb_flags; 0 where there are none
	HasFlags  bool
	Options   []Option
}

// PacketReader reads the packets of a capture in file order. Next returns io.EOF at a clean end, a *Truncated where
// the file ends inside a record, a *Malformed where it contradicts itself; after an error it returns the same error.
type PacketReader interface {
	Next() (*Packet, error)
}
