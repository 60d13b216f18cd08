import { type ComponentProps, type RefObject, useRef } from 'react';

interface FileInputProps extends Pick<ComponentProps<'input'>, 'accept' | 'multiple'> {
  label: string;
  inputRef: RefObject<HTMLInputElement | null>;
  onFiles(files: File[]): void;
}

/** Types that the server can read. The server decides by content; this list only prevents useless choices. */
const ACCEPTED =
  '.txt,.md,.markdown,.csv,.json,.html,.htm,.pdf,.docx,.docm,.dotx,.dotm,.xlsx,.xlsm,.xltx,.xltm,.pptx,.pptm,.potx,.potm,.ppsx,.ppsm,.png,.jpg,.jpeg,.webp,.gif';

/** A button that opens the browser's file chooser. */
export function FilePicker({
  className,
  ...files
}: Omit<FileInputProps, 'inputRef'> & { className: string }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button className={className} type="button" onClick={() => input.current?.click()}>
        {files.label}
      </button>
      <FileInput inputRef={input} {...files} />
    </>
  );
}

/** A hidden file chooser, which a button elsewhere opens: for documents of any number, unless `accept` and `multiple` say otherwise. */
export function FileInput({ inputRef, label, accept = ACCEPTED, multiple = true, onFiles }: FileInputProps) {
  return (
    <input
      ref={inputRef}
      type="file"
      multiple={multiple}
      hidden
      aria-label={label}
      accept={accept}
      onChange={({ target }) => {
        onFiles([...(target.files ?? [])]);
        target.value = '';
      }}
    />
  );
}
