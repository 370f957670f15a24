mogcc --help >out
golden help.txt out
