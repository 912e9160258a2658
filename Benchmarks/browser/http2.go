// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"crypto/tls"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// What Chromium sends at the beginning of a connection: the settings (HttpNetworkSession's defaults), and how much more than
// the 65,535 bytes of RFC 9113 section 6.9.2 the whole connection may receive.
var chromiumSettings = []http2.Setting{
	{ID: http2.SettingHeaderTableSize, Val: 65536},
	{ID: http2.SettingEnablePush, Val: 0},
	{ID: http2.SettingInitialWindowSize, Val: 6291456},
	{ID: http2.SettingMaxHeaderListSize, Val: 262144},
}

const chromiumWindowUpdate = 15663105

// The priority of a navigation: exclusive, weight 256.
var navigation = http2.PriorityParam{Exclusive: true, Weight: 255}

type response struct {
	status int
	fields []hpack.HeaderField
	body   []byte
}

// An HTTP/2 connection with one exchange at a time.
type http2Connection struct {
	connection *tls.Conn
	out        bytes.Buffer
	framer     *http2.Framer
	block      bytes.Buffer
	encoder    *hpack.Encoder
	stream     uint32
}

func newHTTP2Connection(connection *tls.Conn) *http2Connection {
	c := &http2Connection{connection: connection, stream: 1}
	c.framer = http2.NewFramer(&c.out, connection)
	c.framer.ReadMetaHeaders = hpack.NewDecoder(65536, nil)
	c.encoder = hpack.NewEncoder(&c.block)
	return c
}

// Sends the preface. Chromium writes it by itself, before the first request.
func (c *http2Connection) begin() error {
	c.out.WriteString(http2.ClientPreface)
	if err := c.framer.WriteSettings(chromiumSettings...); err != nil {
		return err
	}
	if err := c.framer.WriteWindowUpdate(0, chromiumWindowUpdate); err != nil {
		return err
	}
	return c.flush()
}

func (c *http2Connection) flush() error {
	_, err := c.connection.Write(c.out.Bytes())
	c.out.Reset()
	return err
}

// Sends a request, and reads until its response is complete.
func (c *http2Connection) exchange(request *http.Request, body []byte) (*response, error) {
	c.connection.SetDeadline(time.Now().Add(patience))
	stream := c.stream
	c.stream += 2
	c.encode(request, len(body))
	err := c.framer.WriteHeaders(http2.HeadersFrameParam{
		StreamID: stream, BlockFragment: c.block.Bytes(), EndHeaders: true, EndStream: len(body) == 0, Priority: navigation,
	})
	if err == nil && len(body) > 0 {
		err = c.framer.WriteData(stream, true, body)
	}
	if err == nil {
		err = c.flush()
	}
	if err != nil {
		return nil, err
	}
	return c.receive(stream)
}

func (c *http2Connection) encode(request *http.Request, length int) {
	c.block.Reset()
	field := func(name, value string) { c.encoder.WriteField(hpack.HeaderField{Name: name, Value: value}) }
	field(":method", request.Method)
	field(":authority", request.Host)
	field(":scheme", "https")
	field(":path", request.RequestURI)
	if length > 0 {
		field("content-length", strconv.Itoa(length))
	}
	for _, name := range slices.Sorted(maps.Keys(request.Header)) {
		lower := strings.ToLower(name)
		if lower == wishField || lower == "content-length" {
			continue
		}
		for _, value := range request.Header[name] {
			field(lower, value)
		}
	}
}

func (c *http2Connection) receive(stream uint32) (*response, error) {
	result := &response{}
	for {
		frame, err := c.next()
		if err != nil {
			return nil, err
		}
		if frame.Header().StreamID != stream {
			continue
		}
		switch frame := frame.(type) {
		case *http2.MetaHeadersFrame:
			if status, _ := strconv.Atoi(frame.PseudoValue("status")); status >= 200 {
				result.status = status
				result.fields = append(result.fields, frame.RegularFields()...)
			}
			if frame.StreamEnded() {
				return result, nil
			}
		case *http2.DataFrame:
			result.body = append(result.body, frame.Data()...)
			if frame.StreamEnded() {
				return result, nil
			}
		case *http2.RSTStreamFrame:
			return nil, fmt.Errorf("the stream was reset: %v", frame.ErrCode)
		}
	}
}

// Reads a frame, and answers those that must be answered.
func (c *http2Connection) next() (http2.Frame, error) {
	frame, err := c.framer.ReadFrame()
	if err != nil {
		return nil, err
	}
	switch frame := frame.(type) {
	case *http2.SettingsFrame:
		if !frame.IsAck() {
			if size, isSet := frame.Value(http2.SettingHeaderTableSize); isSet {
				c.encoder.SetMaxDynamicTableSizeLimit(size)
			}
			if err := c.framer.WriteSettingsAck(); err != nil {
				return nil, err
			}
			return frame, c.flush()
		}
	case *http2.PingFrame:
		if !frame.IsAck() {
			if err := c.framer.WritePing(true, frame.Data); err != nil {
				return nil, err
			}
			return frame, c.flush()
		}
	case *http2.GoAwayFrame:
		if frame.ErrCode != http2.ErrCodeNo {
			return nil, fmt.Errorf("the connection was ended: %v", frame.ErrCode)
		}
	}
	return frame, nil
}

// Reads until the target closes the connection.
func (c *http2Connection) idle() {
	c.connection.SetDeadline(time.Time{})
	for {
		if _, err := c.next(); err != nil {
			return
		}
	}
}

// Closes with TLS's close_notify, as browsers do.
func (c *http2Connection) close() { c.connection.Close() }
