import type { TraderAccount } from '../../../../src/contract/records/trader-search.ts'
import { memoryTransport } from '../../../../src/server/transport/memory/memory-transport.ts'
import { recordedRegistry } from '../../../fixtures/default-recording.ts'
import { ADDRESS, signed } from '../../../fixtures/fake-market.ts'
import {
  openSocket,
  receivedFrames,
  sendJson,
  subscribeFrame,
} from '../../../fixtures/memory-socket.ts'
import { PREFIX, type QuestionTrials } from '../../../fixtures/question-trial.ts'

/** Requests data of the busiest whale of the default recording under an answer. */
async function asker(question: string, answer: string) {
  const { registry, cast } = await recordedRegistry({ questions: { [question]: answer } })
  const { request } = memoryTransport(registry)
  const { addresses, openPositions, personas } = cast()
  const address = addresses.whale as string
  const read = ({ status, body }: { status: number; body: string }) => ({
    status,
    data: JSON.parse(body).data,
  })
  return {
    address,
    persona: (name: 'star' | 'unified') => personas[name]?.address ?? '',
    holders: openPositions.map((one) => one.address),
    get: (path: string) => {
      const joint = path.includes('?') ? '&' : '?'
      return read(request('GET', `${PREFIX}/hl${path}${joint}${signed('demo', -1)}`))
    },
    post: (path: string, body: object) =>
      read(request('POST', `${PREFIX}/hl${path}?${signed('demo', -1)}`, JSON.stringify(body))),
  }
}

/** The responses of two sockets to an unknown dex: a subscription, and a connection. */
async function dexes(answer: string) {
  const { socket, registry } = await openSocket('/ws', { questions: { 'dex-unknown': answer } })
  sendJson(socket, subscribeFrame({ type: 'clearinghouseState', user: ADDRESS, dex: 'nowhere' }))
  const [first] = receivedFrames(socket)
  const query = `dex=nowhere&${signed('demo', -1)}`
  const opened = memoryTransport(registry).connect(`${PREFIX}/hl/ws/clearinghouse-state?${query}`)
  return [first?.channel, 'status' in opened ? opened.status : null]
}

const plus = (...texts: string[]) => texts.reduce((sum, text) => sum + Number(text), 0)

export const traders: QuestionTrials = {
  'pnl-point-names': {
    async see(answer) {
      const { address, get, post } = await asker('pnl-point-names', answer)
      const [pnl] = get(`/pnls/${address}?period=7`).data
      const [row] = post('/traders/statistics', { addresses: [address], pnlList: true }).data
      const [listed] = row.pnlList
      return [pnl, listed].map((point) => Object.keys(point).join())
    },
    expected: {
      documented: ['time,pnl', 'ts,v'],
      short: ['ts,v', 'ts,v'],
      long: ['time,pnl', 'time,pnl'],
    },
  },
  'dex-unknown': {
    async see(answer) {
      const { address, post } = await asker('dex-unknown', answer)
      const states = (dex: string) => {
        const body = { addresses: [address], dex }
        return post('/traders/clearinghouse-state', body).status
      }
      const info = ['clearinghouseState', 'openOrders', 'frontendOpenOrders'].map(
        (type) => post('/info', { type, user: address, dex: 'nowhere' }).status,
      )
      return [
        states(''),
        states('xyz'),
        states('nowhere'),
        ...new Set(info),
        ...(await dexes(answer)),
      ]
    },
    expected: {
      refuse: [200, 200, 400, 400, 'error', 400],
      empty: [200, 200, 200, 200, 'subscriptionResponse', null],
    },
  },
  'portfolio-builder-dexes': {
    async see(answer) {
      const { holders, get, post } = await asker('portfolio-builder-dexes', answer)
      const rows = post('/traders/accounts', { addresses: holders }).data
      const owner = rows.find((row: { builderPerpValue: string }) => +row.builderPerpValue > 0)
      const { address, totalValue, builderPerpValue } = owner
      const last = Number(get(`/portfolio/${address}/week`).data.accountValue.at(-1).value)
      return [Number(totalValue), plus(totalValue, builderPerpValue)].map(
        (value) => Math.abs(value - last) < 0.001,
      )
    },
    expected: { 'left-out': [true, false], counted: [false, true] },
  },
  'window-days': {
    async see(answer) {
      const { address, get, post } = await asker('window-days', answer)
      const flow = `/ledger-updates/net-flow/${address}`
      const usual = get(flow)
      if (usual.status !== 200)
        return [
          get(`/max-drawdown/${address}`),
          post('/batch-max-drawdown', { addresses: [] }),
        ].map(({ status }) => status)
      const drawdown = get(`/max-drawdown/${address}`).data
      return ['7', '30'].filter(
        (days) =>
          Bun.deepEquals(usual, get(`${flow}?days=${days}`)) &&
          Bun.deepEquals(drawdown, get(`/max-drawdown/${address}?days=${days}`).data),
      )
    },
    expected: { '7': ['7'], '30': ['30'], refuse: [400, 400] },
  },
  'drawdown-net-in': {
    async see(answer) {
      const { address, get } = await asker('drawdown-net-in', answer)
      const { netIn } = get(`/max-drawdown/${address}?days=30`).data
      return netIn === get(`/ledger-updates/net-flow/${address}?days=30`).data.netPerpIn
    },
    expected: { between: false, window: true },
  },
  'batch-drawdown-keys': {
    async see(answer) {
      const { address, post } = await asker('batch-drawdown-keys', answer)
      const [row] = post('/batch-max-drawdown', { addresses: [address] }).data
      return [Object.keys(row).length, row.Address === address, row.address === address]
    },
    expected: { capitals: [5, true, false], both: [10, true, true] },
  },
  'batch-most': {
    async see(answer) {
      const { address, post } = await asker('batch-most', answer)
      const addresses = Array(2_001).fill(address)
      return ['accounts', 'clearinghouse-state', 'spot-clearinghouse-state'].map(
        (name) => post(`/traders/${name}`, { addresses }).data.length,
      )
    },
    expected: { '2000': [2_000, 2_000, 2_000], '50': [50, 50, 50] },
  },
  'account-mode': {
    async see(answer) {
      const { persona, post } = await asker('account-mode', answer)
      const addresses = [persona('star'), persona('unified')]
      return post('/traders/accounts', { addresses }).data.map(
        ({ totalValue, spotValue, perpValue }: TraderAccount) => {
          if (Math.abs(plus(spotValue, perpValue) - Number(totalValue)) < 0.001) return 'sum'
          return spotValue === totalValue ? 'shared' : 'neither'
        },
      )
    },
    expected: {
      'by-account': ['sum', 'shared'],
      separated: ['sum', 'sum'],
      unified: ['shared', 'shared'],
    },
  },
  'page-beyond-last': {
    async see(answer) {
      const { address, post } = await asker('page-beyond-last', answer)
      const requested = (path: string, pageNum: number) => post(path, { pageNum, pageSize: 1 })
      return [
        ...['/smart/find', '/traders/discover', '/traders/discover-history'].map((path) => [
          path,
          20,
        ]),
        [`/traders/${address}/completed-trades/by-time`, 50],
      ].map(([path, last]) => {
        const [known, beyond] = [last, Number(last) + 1].map((at) =>
          requested(String(path), Number(at)),
        )
        const isSame = JSON.stringify(known?.data) === JSON.stringify(beyond?.data)
        return isSame ? 'last' : beyond?.status
      })
    },
    expected: { last: ['last', 'last', 'last', 'last'], refuse: [400, 400, 400, 400] },
  },
  'smart-find-form': {
    async see(answer) {
      const { post } = await asker('smart-find-form', answer)
      const { data } = post('/smart/find', { pageNum: 2, pageSize: 30 })
      if (Array.isArray(data)) return data.length
      return [data.list.length, data.total > 50, data.pageNum, data.pageSize]
    },
    expected: { list: 25, page: [25, true, 2, 25] },
  },
}
