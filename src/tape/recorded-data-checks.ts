/** What is wrong with the data of what a recorder has seen, in words; null when nothing is. */
import { excerptOf, isWholeNumber, type UnknownRecord } from './unknown-record.ts'

/** An HTTP exchange that ended at `time`. */
export function exchangeFlaw(data: UnknownRecord, time: number): string | null {
  for (const name of ['method', 'url'])
    if (typeof data[name] !== 'string') return `needs "${name}" as text`
  if (!isWholeNumber(data.status)) return 'needs "status" as a whole number'
  return (
    momentFlaw(data, 'startedMs', time) ??
    headersFlaw(data, 'requestHeaders') ??
    headersFlaw(data, 'headers') ??
    contentFlaw(data, 'requestBody', 'requestBase64') ??
    contentFlaw(data, 'responseBody', 'responseBase64') ??
    optionalTextFlaw(data, 'error')
  )
}

/** A message on a socket. */
export function frameFlaw(data: UnknownRecord): string | null {
  if (!isWholeNumber(data.connection)) return 'needs "connection" as a whole number'
  if (data.direction !== 'in' && data.direction !== 'out') return 'needs direction "in" or "out"'
  if (data.control !== undefined && data.control !== 'ping' && data.control !== 'pong')
    return `has control ${excerptOf(data.control)}, it is "ping" or "pong"`
  return contentFlaw(data, 'text', 'base64')
}

/** An event in the life of a socket. */
export function connectionFlaw(data: UnknownRecord, time: number): string | null {
  if (!isWholeNumber(data.connection)) return 'needs "connection" as a whole number'
  if (data.event === 'open') return openedFlaw(data, time)
  if (data.event === 'error')
    return typeof data.message === 'string' ? null : 'needs "message" as text'
  if (data.event !== 'close') return 'needs event "open", "close" or "error"'
  if (!isWholeNumber(data.code)) return 'needs "code" as a whole number'
  if (typeof data.reason !== 'string') return 'needs "reason" as text'
  const isKnown = ['client', 'service', 'recorder'].includes(data.by as string)
  return isKnown ? null : 'needs "by" as "client", "service" or "recorder"'
}

/** A part of the recording that is missing. */
export function gapFlaw(data: UnknownRecord, time: number): string | null {
  if (typeof data.why !== 'string') return 'needs "why" as text'
  for (const name of ['lost', 'connection'])
    if (data[name] !== undefined && !isWholeNumber(data[name]))
      return `has "${name}" that is no whole number`
  return momentFlaw(data, 'fromMs', time)
}

function openedFlaw(data: UnknownRecord, time: number): string | null {
  if (typeof data.url !== 'string') return 'needs "url" as text'
  const { protocols, protocol, continued } = data
  if (!Array.isArray(protocols) || !areTexts(protocols)) return 'needs "protocols" as texts'
  if (protocol !== null && typeof protocol !== 'string') return 'needs "protocol" as text or null'
  if (continued !== undefined && typeof continued !== 'boolean')
    return 'has "continued" that is neither true nor false'
  return momentFlaw(data, 'startedMs', time) ?? headersFlaw(data, 'requestHeaders')
}

function momentFlaw(data: UnknownRecord, name: string, time: number): string | null {
  const moment = data[name]
  if (!isWholeNumber(moment)) return `needs "${name}" in whole milliseconds`
  return moment <= time ? null : `has a ${name} that does not lie before its time`
}

function headersFlaw(data: UnknownRecord, name: string): string | null {
  const headers = data[name]
  return typeof headers === 'object' && headers !== null && areTexts(Object.values(headers))
    ? null
    : `needs "${name}" as an object of texts`
}

/** Exactly one of the two: text, or base64 of what is none. */
function contentFlaw(data: UnknownRecord, text: string, base64: string): string | null {
  if ((data[text] === undefined) === (data[base64] === undefined))
    return `needs either "${text}" or "${base64}"`
  if (data[text] !== undefined)
    return typeof data[text] === 'string' ? null : `needs "${text}" as text`
  const value = data[base64]
  return typeof value === 'string' && BASE64.test(value) ? null : `needs "${base64}" in base64`
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

function optionalTextFlaw(data: UnknownRecord, name: string): string | null {
  const value = data[name]
  return value === undefined || typeof value === 'string' ? null : `has "${name}" that is no text`
}

const areTexts = (values: readonly unknown[]): boolean =>
  values.every((item) => typeof item === 'string')
