/** Text of a document, with `code` in backticks and **strong** text rendered as such. */
export function QuotedText({ text }: { text: string }) {
  return text.split(/(`[^`\n]+`|\*\*[^*\n]+\*\*)/).map((part, at) => {
    const [, code, strong] = /^`([^`]+)`$|^\*\*([^*]+)\*\*$/.exec(part) ?? [];
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text never move
    if (code) return <code key={at}>{code}</code>;
    // biome-ignore lint/suspicious/noArrayIndexKey: as above
    return strong ? <strong key={at}>{strong}</strong> : part;
  });
}
