/**
 * The parts of a HAR document that a recording has: HTTP Archive 1.2, with the messages of sockets
 * as browsers add them.
 *
 * @see http://www.softwareishard.com/blog/har-12-spec/
 * @see https://developer.chrome.com/blog/new-in-devtools-76#websocket
 */
export interface HarDocument {
  log: { version: string; creator: { name: string; version: string }; entries: HarEntry[] }
}

export interface HarHeader {
  name: string
  value: string
}

export interface HarEntry {
  /** ISO 8601. */
  startedDateTime: string
  /** How long it took, ms. */
  time: number
  request: {
    method: string
    url: string
    httpVersion: string
    headers: HarHeader[]
    queryString: HarHeader[]
    cookies: never[]
    headersSize: number
    bodySize: number
    postData?: { mimeType: string; text: string; comment?: string }
  }
  response: {
    status: number
    statusText: string
    httpVersion: string
    headers: HarHeader[]
    cookies: never[]
    content: { size: number; mimeType: string; text?: string; encoding?: 'base64' }
    redirectURL: string
    headersSize: number
    bodySize: number
  }
  cache: object
  timings: { send: number; wait: number; receive: number }
  _resourceType?: string
  _webSocketMessages?: HarMessage[]
}

/** A message of a socket. */
export interface HarMessage {
  type: 'send' | 'receive' | 'error'
  /** Seconds since 1970. */
  time: number
  /** 1 for text; the data of others is base64. */
  opcode: number
  data: string
}

/** Takes secrets out of what is kept, as a recorder does. */
export interface SecretRemover {
  /** A path with its query. */
  url(target: string): string
  text(text: string): string
  isSecretName(name: string): boolean
}
