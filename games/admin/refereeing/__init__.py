"""Acts of referees as forms and pages: what is asked, what would change, who may."""
