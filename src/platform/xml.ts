import { Parser } from 'htmlparser2';

/** Handlers for the parts of an XML text, in its order. Names are as the text has them, with their prefix. */
interface XmlHandlers {
  open: (name: string, attributes: Readonly<Record<string, string>>) => void;
  text?: (text: string) => void;
  close?: (name: string) => void;
}

/**
 * Calls handlers for the elements and texts of an XML document. No tree is made, whose depth anybody could choose, and no entity
 * that a document declares is expanded. Faulty XML is read as far as it goes.
 */
export function readXml(source: string, { open, text, close }: XmlHandlers): void {
  const parser = new Parser(
    {
      onopentag: open,
      ...(text !== undefined && { ontext: text }),
      ...(close !== undefined && { onclosetag: (name: string) => close(name) }),
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.write(source);
  parser.end();
}
