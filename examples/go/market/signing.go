// Package market is what both clients share: signatures, a socket, reading.
package market

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha1"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"
)

// Service is where the service is, and as whom it is asked.
type Service struct{ BaseURL, Key, Secret string }

// FromArguments takes BASE_URL ACCESS_KEY SECRET_KEY, or the demo key of a server on this machine.
func FromArguments() Service {
	if len(os.Args) == 4 {
		return Service{os.Args[1], os.Args[2], os.Args[3]}
	}
	return Service{"http://127.0.0.1:4010", "demo", "demo-secret"}
}

// Signed is a query string that is good for 30 s and for one use: sign anew for each request.
func (s Service) Signed() string {
	nonce := make([]byte, 8)
	_, _ = rand.Read(nonce)
	text := fmt.Sprintf("AccessKeyId=%s&SignatureNonce=%x&Timestamp=%d", s.Key, nonce, time.Now().Unix())
	mac := hmac.New(sha1.New, []byte(s.Secret))
	mac.Write([]byte(text))
	// What is encoded is the hexadecimal text, not the digest's bytes.
	signature := base64.StdEncoding.EncodeToString([]byte(hex.EncodeToString(mac.Sum(nil))))
	return text + "&Signature=" + url.QueryEscape(signature)
}

// Price is what a coin costs.
func (s Service) Price(coin string) (string, error) {
	client := http.Client{Timeout: 10 * time.Second}
	answer, err := client.Get(s.BaseURL + "/api/upgrade/v2/hl/tickers?" + s.Signed())
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return "", fmt.Errorf("status %s", answer.Status)
	}
	var body struct {
		Data []struct{ Coin, Price string }
	}
	if err := json.NewDecoder(answer.Body).Decode(&body); err != nil {
		return "", err
	}
	for _, row := range body.Data {
		if row.Coin == coin {
			return row.Price, nil
		}
	}
	return "", fmt.Errorf("no price of %s", coin)
}

// Open connects and subscribes to the book and the trades of BTC.
func (s Service) Open() (*Socket, error) {
	address := strings.Replace(s.BaseURL, "http", "ws", 1)
	socket, err := Dial(address + "/api/upgrade/v2/hl/ws?" + s.Signed())
	if err != nil {
		return nil, err
	}
	for _, kind := range []string{"l2Book", "trades"} {
		text := fmt.Sprintf(`{"method":"subscribe","subscription":{"type":"%s","coin":"BTC"}}`, kind)
		if err := socket.Send(text); err != nil {
			socket.Close()
			return nil, err
		}
	}
	return socket, nil
}

// Frame is what comes on the socket; Data is a Book or a list of Trade.
type Frame struct {
	Channel string
	Data    json.RawMessage
}

// Book is the order book: bids, then asks, the best first.
type Book struct {
	Time   int64
	Stale  bool
	Levels [2][]struct{ Px, Sz string }
}

// Trade is one trade, of which only its time is looked at.
type Trade struct{ Time int64 }
