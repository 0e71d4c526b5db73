// A client as it is first written: go run ./naive [BASE_URL ACCESS_KEY SECRET_KEY]
package main

import (
	"encoding/json"
	"fmt"
	"log"

	"example/market/market"
)

func main() {
	service := market.FromArguments()
	price, err := service.Price("BTC")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("BTC costs", price)
	socket, err := service.Open()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("connected")
	var book market.Book
	for {
		text, err := socket.Receive(0)
		if err != nil {
			log.Fatal(err)
		}
		var frame market.Frame
		_ = json.Unmarshal(text, &frame)
		if frame.Channel == "l2Book" {
			_ = json.Unmarshal(frame.Data, &book)
		} else if frame.Channel == "trades" && len(book.Levels[1]) > 0 {
			fmt.Println("order at", book.Levels[1][0].Px)
		}
	}
}
