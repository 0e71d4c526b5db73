/** The application: it knows the service and nothing of the sandbox. */
import { client } from 'tapewright/client'

const LEVELS = 10
const POINTS = 240

/** Shows the book and the prices of BTC for as long as the page is open. */
export async function showMarket(settings, say) {
  const service = client(settings)
  const path = { coin: 'BTC' }
  const { price } = await service.perpdex.ticker({ path })
  const prices = [Number(price)]
  drawPrices(prices)
  say(`BTC was traded at ${price}`)
  service.subscribe('l2Book', { coin: 'BTC' }, (book, { stale }) => {
    const [bids, asks] = book.levels
    drawBook(bids, asks, stale)
    if (bids[0] && asks[0]) prices.push((Number(bids[0].px) + Number(asks[0].px)) / 2)
    drawPrices(prices.splice(0, prices.length - POINTS) && prices)
    say(`${stale ? 'Stale: ' : ''}the book of ${new Date(book.time).toISOString()}`)
  })
}

function drawBook(bids, asks, stale) {
  const section = document.getElementById('book')
  section.dataset.state = stale ? 'stale' : 'live'
  const rows = Array.from({ length: LEVELS }, (_, at) => {
    const row = document.createElement('tr')
    const texts = [bids[at]?.sz, bids[at]?.px, asks[at]?.px, asks[at]?.sz]
    row.append(
      ...texts.map((text) => Object.assign(document.createElement('td'), { textContent: text ?? '' })),
    )
    return row
  })
  section.querySelector('tbody').replaceChildren(...rows)
}

function drawPrices(prices) {
  const [low, high] = [Math.min(...prices), Math.max(...prices)]
  const height = (price) => 95 - (90 * (price - low)) / (high - low || 1)
  const points = prices.map((price, at) => `${at},${height(price).toFixed(1)}`).join(' ')
  const chart = document.getElementById('chart')
  chart.setAttribute('viewBox', `0 0 ${POINTS} 100`)
  chart.innerHTML = `<polyline points="${points}" fill="none" stroke="#246" vector-effect="non-scaling-stroke"/>`
}
