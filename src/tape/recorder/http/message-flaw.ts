/** What is not HTTP or no WebSocket in what one side has sent, in words that follow "it". */
export class MessageFlaw extends Error {}
