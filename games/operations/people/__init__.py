"""What happens to people: suspensions, erasure, seats left behind, their own data and account."""
