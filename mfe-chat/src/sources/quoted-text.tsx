/** Text of a document, with its code in backticks and its strong marks shown as such. */
export function QuotedText({ text }: { text: string }) {
  return text.split(/(`[^`\n]+`|\*\*[^*\n]+\*\*)/).map((part, at) => {
    const [, code, strong] = /^`([^`]+)`$|^\*\*([^*]+)\*\*$/.exec(part) ?? [];
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text have no other name
    if (code) return <code key={at}>{code}</code>;
    // biome-ignore lint/suspicious/noArrayIndexKey: as above
    return strong ? <strong key={at}>{strong}</strong> : part;
  });
}
