import { useEffect, useState } from 'react';

/** An address of this blob for as long as the component stands; '' without one. It is given back at the end. */
export function useObjectUrl(blob: Blob | null): string {
  const [url, setUrl] = useState('');
  useEffect(() => {
    if (!blob) return;
    const own = URL.createObjectURL(blob);
    setUrl(own);
    return () => {
      setUrl('');
      URL.revokeObjectURL(own);
    };
  }, [blob]);
  return url;
}
