package load

import "bytes"

// normalise makes content that means the same equal byte for byte: no byte order mark, line ends LF, no blanks at
// line ends, exactly one line end at the end.
func normalise(data []byte) []byte {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	lines := bytes.Split(data, []byte("\n"))
	for i := range lines {
		lines[i] = bytes.TrimRight(lines[i], " \t\r")
	}
	data = bytes.TrimRight(bytes.Join(lines, []byte("\n")), "\n")
	return append(data, '\n')
}
