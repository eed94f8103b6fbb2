/** A text of so many characters, in sentences, as people write them. */
export function longText(length: number): string {
  const sentence = '圖書館將於期末考週延長開放時間，歡迎同學多加利用。'
  return sentence.repeat(Math.ceil(length / sentence.length)).slice(0, length)
}
