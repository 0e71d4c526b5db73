package market

import (
	"bufio"
	"crypto/rand"
	"crypto/tls"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"sync"
	"time"
)

const (
	opText, opClose, opPing, opPong = 1, 8, 9, 10
)

// Socket is a WebSocket client of the standard library alone: text frames of RFC 6455.
type Socket struct {
	conn    net.Conn
	reader  *bufio.Reader
	writing sync.Mutex
}

// Dial opens a connection.
func Dial(address string) (*Socket, error) {
	at, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	dialer := &net.Dialer{Timeout: 10 * time.Second}
	var conn net.Conn
	if at.Scheme == "wss" {
		conn, err = tls.DialWithDialer(dialer, "tcp", withPort(at, "443"), nil)
	} else {
		conn, err = dialer.Dial("tcp", withPort(at, "80"))
	}
	if err != nil {
		return nil, err
	}
	key := make([]byte, 16)
	_, _ = rand.Read(key)
	fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: %s\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"+
		"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: %s\r\n\r\n",
		at.RequestURI(), at.Host, base64.StdEncoding.EncodeToString(key))
	reader := bufio.NewReader(conn)
	answer, err := http.ReadResponse(reader, nil)
	if err == nil && answer.StatusCode != http.StatusSwitchingProtocols {
		err = errors.New(answer.Status)
	}
	if err != nil {
		conn.Close()
		return nil, err
	}
	return &Socket{conn: conn, reader: reader}, nil
}

func withPort(at *url.URL, usual string) string {
	if at.Port() != "" {
		return at.Host
	}
	return net.JoinHostPort(at.Hostname(), usual)
}

// Send sends a text; several may be sent at once.
func (s *Socket) Send(text string) error { return s.write(opText, []byte(text)) }

// Receive waits for the next text, for so long at most; 0 waits forever.
func (s *Socket) Receive(patience time.Duration) ([]byte, error) {
	var text []byte
	for {
		var until time.Time
		if patience > 0 {
			until = time.Now().Add(patience)
		}
		_ = s.conn.SetReadDeadline(until)
		isLast, op, payload, err := s.frame()
		switch {
		case err != nil:
			return nil, err
		case op == opClose:
			return nil, errors.New("closed by the server")
		case op == opPing:
			if err := s.write(opPong, payload); err != nil {
				return nil, err
			}
		case op != opPong:
			text = append(text, payload...)
			if isLast {
				return text, nil
			}
		}
	}
}

// Close ends the connection.
func (s *Socket) Close() { s.conn.Close() }

func (s *Socket) frame() (isLast bool, op byte, payload []byte, err error) {
	head := make([]byte, 2)
	if _, err = io.ReadFull(s.reader, head); err != nil {
		return
	}
	length := uint64(head[1] & 0x7f)
	if length == 126 {
		var short uint16
		err = binary.Read(s.reader, binary.BigEndian, &short)
		length = uint64(short)
	} else if length == 127 {
		err = binary.Read(s.reader, binary.BigEndian, &length)
	}
	if err != nil {
		return
	}
	payload = make([]byte, length)
	_, err = io.ReadFull(s.reader, payload)
	return head[0]&0x80 != 0, head[0] & 0x0f, payload, err
}

func (s *Socket) write(op byte, payload []byte) error {
	frame := []byte{0x80 | op}
	if len(payload) < 126 {
		frame = append(frame, 0x80|byte(len(payload)))
	} else {
		frame = append(frame, 0xfe, byte(len(payload)>>8), byte(len(payload)))
	}
	mask := make([]byte, 4)
	_, _ = rand.Read(mask)
	frame = append(frame, mask...)
	for at, one := range payload {
		frame = append(frame, one^mask[at%4])
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	_, err := s.conn.Write(frame)
	return err
}
