/** An object of JSON, whose fields are unknown. */
export type JsonObject = Record<string, unknown>

/** Whether a value is an object with fields: neither null nor a list. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
