/** A client as it is first written: it works as long as everything goes well. */
import { credentials } from 'tapewright/contract'

export function naiveClient({ baseUrl, wsBaseUrl, accessKey, secretKey }) {
  const signed = () => {
    const timestampS = Math.floor(Date.now() / 1000)
    return new URLSearchParams(
      credentials({ accessKey, secretKey, nonce: crypto.randomUUID(), timestampS }),
    )
  }
  return {
    /** Takes every answer for JSON, and its data for what was asked. */
    async get(path) {
      const answer = await fetch(`${baseUrl}/api/upgrade/v2${path}?${signed()}`)
      return (await answer.json()).data
    },

    /** Takes every push for news, and a connection that is open for one that lives. */
    follow(subscription, listener) {
      const socket = new WebSocket(`${wsBaseUrl}/api/upgrade/v2/hl/ws?${signed()}`)
      socket.onopen = () => socket.send(JSON.stringify({ method: 'subscribe', subscription }))
      socket.onmessage = ({ data }) => {
        const frame = JSON.parse(data)
        if (frame.channel === subscription.type) listener(frame.data)
      }
      return () => socket.close()
    },
  }
}
