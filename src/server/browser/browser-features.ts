/** What of the things that a sandbox in a page needs this browser does not have, in words. */
export function missingFeatures(found: Readonly<Record<string, unknown>> = globalThis): string[] {
  const { Worker, WebAssembly, DecompressionStream, navigator } = found as Features
  return [
    ...(Worker ? [] : ['workers']),
    ...(WebAssembly ? [] : ['WebAssembly']),
    ...(DecompressionStream ? [] : ['DecompressionStream']),
    ...('withResolvers' in Promise && 'groupBy' in Map ? [] : ['Promise.withResolvers']),
    // Pages that are not secure have none, nor have private windows of some browsers.
    ...(navigator?.serviceWorker ? [] : ['service workers']),
  ]
}

type Features = Record<'Worker' | 'WebAssembly' | 'DecompressionStream', unknown> & {
  navigator?: { serviceWorker?: unknown }
}
