interface ProgressBarProps {
  label: string;
  /** How much of `most` is done. */
  value: number;
  /** Default 100. */
  most?: number;
  className?: string | undefined;
}

export function ProgressBar({ label, value, most = 100, className = '' }: ProgressBarProps) {
  return (
    <span
      className={`progress ${className}`}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={most}
      aria-valuenow={value}
    >
      <i style={{ width: `${(100 * value) / most}%` }} />
    </span>
  );
}
