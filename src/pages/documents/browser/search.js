/** Hides items without all search words. The words are also in the address. */
const form = document.getElementById('search')
const input = document.getElementById('words')
const found = document.getElementById('found')
const items = [...document.querySelectorAll('li[data-words]')]

function show() {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean)
  for (const item of items) item.hidden = !words.every((word) => item.dataset.words.includes(word))
  for (const group of document.querySelectorAll('.group'))
    group.hidden = !group.querySelector('li:not([hidden])')
  const count = items.filter((item) => !item.hidden).length
  found.textContent = words.length === 0 ? '' : `${count} of ${items.length} found`
  const query = words.length === 0 ? '' : `?q=${encodeURIComponent(input.value)}`
  history.replaceState(null, '', location.pathname + query + location.hash)
}

form.addEventListener('submit', (event) => {
  event.preventDefault()
  items
    .find((item) => !item.hidden)
    ?.querySelector('a')
    .click()
})
input.addEventListener('input', show)
input.value = new URLSearchParams(location.search).get('q') ?? ''
show()
