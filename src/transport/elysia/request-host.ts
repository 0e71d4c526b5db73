/** The host that a request names, which has to be one. */

/**
 * What is wrong with the host that a request names; null when it is one, empty, or left out as
 * HTTP/1.0 may. Of two the runtime would believe the first, and a proxy before it maybe the second;
 * it joins them with a comma (RFC 9112, 3.2).
 */
export function hostFlaw(headers: Headers): string | null {
  const host = headers.get('host')
  if (host === null || HOST.test(host)) return null
  return `send one Host header with one name, and maybe a port, not "${host.slice(0, 100)}"`
}

const HOST = /^(?:\[[\da-f:.]+\]|[\w.~-]*)(?::\d*)?$/i
