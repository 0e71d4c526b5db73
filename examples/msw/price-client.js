/** A small client of the service, with the service's own address in it. */
import { createHmac, randomUUID } from 'node:crypto'

const SERVICE = 'https://api.market-data.example/api/upgrade/v2'
const STREAM = 'wss://api.market-data.example/api/upgrade/v2/hl/ws'

export class PriceClient {
  #key

  /** @param {{accessKey: string, secretKey: string}} key */
  constructor(key) {
    this.#key = key
  }

  /** The last price of a coin, as text. */
  async price(coin) {
    const answer = await fetch(`${SERVICE}/hl/tickers/coin/${coin}?${this.#signature()}`)
    const { code, msg, data } = await answer.json()
    if (code !== '0') throw new Error(`${answer.status}: ${msg}`)
    return data.price
  }

  /** The best bid of a coin, once it is known. */
  bestBid(coin) {
    const socket = new WebSocket(`${STREAM}?${this.#signature()}`)
    return new Promise((resolve, reject) => {
      socket.onopen = () =>
        socket.send(JSON.stringify({ method: 'subscribe', subscription: { type: 'bbo', coin } }))
      socket.onmessage = ({ data }) => {
        const frame = JSON.parse(data)
        if (frame.channel !== 'bbo') return
        resolve(frame.data.bbo[0].px)
        socket.close()
      }
      socket.onclose = ({ code }) => reject(new Error(`the stream was closed with ${code}`))
    })
  }

  #signature() {
    const signed = {
      AccessKeyId: this.#key.accessKey,
      SignatureNonce: randomUUID(),
      Timestamp: String(Math.floor(Date.now() / 1000)),
    }
    const text = Object.entries(signed)
      .map(([name, value]) => `${name}=${value}`)
      .join('&')
    const digest = createHmac('sha1', this.#key.secretKey).update(text).digest('hex')
    return new URLSearchParams({ ...signed, Signature: btoa(digest) })
  }
}
