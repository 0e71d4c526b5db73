// A client that lives: go run ./client [BASE_URL ACCESS_KEY SECRET_KEY]
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"math/rand"
	"time"

	"example/market/market"
)

const (
	oldMs    = 3_000
	silentS  = 60 * time.Second
	pingS    = 25 * time.Second
	longestS = 30 * time.Second
)

func main() {
	service := market.FromArguments()
	price, err := service.Price("BTC")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("BTC costs", price)
	for attempt := 1; ; attempt++ {
		began := time.Now()
		fmt.Printf("lost (%v), connecting again\n", follow(service))
		if time.Since(began) > longestS {
			attempt = 1
		}
		// Not all clients at once.
		pause := min(longestS, 100*time.Millisecond<<uint(min(attempt, 10)))
		time.Sleep(pause/2 + time.Duration(rand.Int63n(int64(pause/2))))
	}
}

// follow goes on until the connection is over, and says why it is.
func follow(service market.Service) error {
	socket, err := service.Open()
	if err != nil {
		return err
	}
	defer socket.Close()
	fmt.Println("connected")
	over := make(chan struct{})
	defer close(over)
	go heartbeat(socket, over)
	// A book of the connection before tells nothing.
	var book *market.Book
	for {
		text, err := socket.Receive(silentS)
		if err != nil {
			return err
		}
		var frame market.Frame
		if err := json.Unmarshal(text, &frame); err != nil {
			return err
		}
		switch frame.Channel {
		case "l2Book":
			book = new(market.Book)
			if err := json.Unmarshal(frame.Data, book); err != nil {
				return err
			}
		case "trades":
			var trades []market.Trade
			if err := json.Unmarshal(frame.Data, &trades); err != nil {
				return err
			}
			decide(book, trades)
		}
	}
}

// Who says nothing for 60 s is disconnected, whatever the server pushes.
func heartbeat(socket *market.Socket, over <-chan struct{}) {
	ticker := time.NewTicker(pingS)
	defer ticker.Stop()
	for {
		select {
		case <-over:
			return
		case <-ticker.C:
			_ = socket.Send(`{"method":"ping"}`)
		}
	}
}

// decide goes by the market's own time: this machine's clock may differ, and the market may be held.
func decide(book *market.Book, trades []market.Trade) {
	if book == nil {
		return
	}
	var now int64
	for _, trade := range trades {
		if trade.Time > now {
			now = trade.Time
		}
	}
	if behind := now - book.Time; book.Stale || behind > oldMs {
		fmt.Printf("no order: the book is %d ms behind\n", behind)
	} else if len(book.Levels[1]) > 0 {
		fmt.Println("order at", book.Levels[1][0].Px)
	}
}

func min[T int | time.Duration](a, b T) T {
	if a < b {
		return a
	}
	return b
}
