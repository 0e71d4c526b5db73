/** Files that whoever looks saves and opens. */

/** Saves a text under a name. */
export function saveFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}

/** The text of one that was opened. */
export const fileText = (file: File): Promise<string> => file.text()
