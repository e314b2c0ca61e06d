"""FIDE's three-letter codes of federations, with FID and NON for players without one.

Compared in November 2026 with every federation on FIDE's lists of August and September 2025, with the table in Lichess'
source (lila, Federation.scala) and with that of the Irish federation's tools (icu_tournament, federation.rb): all of
them are here. A code that is missing here is worth a look, but does not prove an error.
"""

FEDERATIONS = frozenset(
    """
    AFG AHO ALB ALG AND ANG ANT ARG ARM ARU AUS AUT AZE BAH BAN BAR BDI BEL BEN BER BHU BIH BIZ BLR BOL BOT BRA BRN BRU
    BUL BUR CAF CAM CAN CAY CGO CHA CHI CHN CIV CMR COD COL COM CPV CRC CRO CUB CYP CZE DEN DJI DMA DOM ECU EGY ENG ERI
    ESA ESP EST ETH FAI FID FIJ FIN FRA GAB GAM GBS GCI GEO GEQ GER GHA GRE GRL GRN GUA GUI GUM GUY HAI HKG HON HUN INA
    IND IOM IRI IRL IRQ ISL ISR ISV ITA IVB JAM JCI JOR JPN KAZ KEN KGZ KIR KOR KOS KSA KUW LAO LAT LBA LBN LBR LCA LES
    LIE LTU LUX MAC MAD MAR MAS MAW MDA MDV MEX MGL MHL MKD MLI MLT MNC MNE MOZ MRI MTN MYA NAM NCA NCL NED NEP NGR NIG
    NON NOR NRU NZL OMA PAK PAN PAR PER PHI PLE PLW PNG POL POR PUR QAT ROU RSA RUS RWA SAM SCO SEN SEY SGP SKN SLE SLO
    SMR SOL SOM SRB SRI SSD STP SUD SUI SUR SVK SWE SWZ SYR TAN TGA THA TJK TKM TLS TOG TPE TTO TUN TUR UAE UGA UKR URU
    USA UZB VAN VEN VIE VIN WLS YEM ZAM ZIM
    """.split()  # noqa: SIM905  # a table people read
)

# Former codes and the current ones. The Irish table, from about 2012, still has the former ones; we could not find out
# when they changed.
FORMER = {"LIB": "LBN", "MAU": "MTN", "SIN": "SGP", "TRI": "TTO"}
