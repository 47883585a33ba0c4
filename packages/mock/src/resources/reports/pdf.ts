/** A text on the page. `x` and `y` are points from the lower left corner of an A4 page, which has 595 by 842. */
export interface PdfText {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly text: string;
  readonly bold?: boolean;
}

/** The places in WinAnsiEncoding of French signs that are not at their place in Unicode. */
const WIN_ANSI: Readonly<Record<string, string>> = {
  '€': '\x80',
  '…': '\x85',
  '’': '\x92',
  '–': '\x96',
  '—': '\x97',
  Œ: '\x8c',
  œ: '\x9c',
};

/** A string of a page. Signs that the font does not have become `?`. */
const literal = (text: string): string =>
  `(${[...text]
    .map((sign) => WIN_ANSI[sign] ?? (sign > 'ÿ' ? '?' : sign))
    .join('')
    .replace(/[^ -~]|[()\\]/g, (sign) => `\\${sign.charCodeAt(0).toString(8).padStart(3, '0')}`)})`;

/** A string of the document, in UTF-16. */
const utf16 = (text: string): string =>
  `<FEFF${text.replace(/[\s\S]/g, (unit) => unit.charCodeAt(0).toString(16).padStart(4, '0'))}>`;

/**
 * Writes a PDF of one page in Helvetica, which every reader has. It is ASCII, so the offsets of its table are those of the
 * string.
 */
export function pdfOf(title: string, texts: readonly PdfText[]): string {
  const page = texts
    .map(({ x, y, size, text, bold }) => `/${bold ? 'B' : 'R'} ${size} Tf 1 0 0 1 ${x} ${y} Tm ${literal(text)} Tj`)
    .join('\n');
  const content = `BT\n${page}\nET`;
  const font = (name: string) => `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R /Lang (fr) >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /R 5 0 R /B 6 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    font('Helvetica'),
    font('Helvetica-Bold'),
    `<< /Title ${utf16(title)} >>`,
  ];
  let pdf = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = pdf.length;
    pdf += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}`;
  return `${pdf}${table}trailer\n<< /Size ${size} /Root 1 0 R /Info 7 0 R >>\nstartxref\n${pdf.length}\n%%EOF\n`;
}
