import { followBook } from './feed.js'

const LEVELS = 8
const element = (id) => document.getElementById(id)

element('keys').onsubmit = (event) => {
  event.preventDefault()
  const keys = Object.fromEntries(new FormData(event.target))
  event.target.hidden = true
  followBook(keys, 'BTC', show)
}

function show({ state, reason, book }) {
  const feed = element('feed')
  feed.dataset.state = state
  feed.textContent = reason ? `${state}: ${reason}` : state
  document.querySelector('table').classList.toggle('old', state !== 'live')
  if (!book) return
  const [bids, asks] = book.levels
  element('mid').textContent = (Number(bids[0].px) + Number(asks[0].px)) / 2
  element('asks').replaceChildren(...asks.slice(0, LEVELS).reverse().map(row('Ask')))
  element('bids').replaceChildren(...bids.slice(0, LEVELS).map(row('Bid')))
}

const row =
  (side) =>
  ({ px, sz }) => {
    const line = document.createElement('tr')
    for (const text of [side, px, sz]) line.insertCell().textContent = text
    return line
  }
